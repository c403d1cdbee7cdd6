// The hub's live feed. One that was refused because too many listen, or let go for somebody else, is asked for again.

const AGAIN_MS = 5000;

export function follow(hear, lose = () => {}) {
  const source = new EventSource("/feed");
  source.onmessage = ({ data }) => hear(JSON.parse(data));
  source.onerror = () => {
    lose();
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS, hear, lose);
  };
}
