"""Skully by the book: one function a rule, named as the book names it, its paragraph first in its docstring.

Read with the book in one hand: `board` is the path (1.4, 1.6), `options` what players agree on (section 2), `turns`
whose turn it is (1.5, 3.1, 3.2.0), `shots` what a shot does, by what the shooter goes for: `early` (3.2.1), `forwards`
(3.2.2), `killer_round` (3.2.3), `killer` (3.2.4), or `out_of_turn` (3.1); `hits` and `bonuses` are 3.3, `skull` is
being stuck. `orders` and `corrections` are what people say rather than do.
"""
