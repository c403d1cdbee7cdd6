"""The machine beside the board: its heartbeat, supply, wires, network, storage and where it hangs."""
