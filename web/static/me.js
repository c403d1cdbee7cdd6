// Who this phone is: whom it plays for, and what it may do.

export const me = JSON.parse(document.documentElement.dataset.role);
export const canOrder = me.role !== "watcher";
export const isReferee = me.role === "referee";
export const playsFor = (player) => me.seats.includes(player);

// Whether this phone may act for a player: it sits for him, or is the referee's.
export const mayFor = (player) => isReferee || playsFor(player);
