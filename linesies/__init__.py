"""Linesies, a camera referee: the one name under which its folders are imported.

In the repository the folders lie at the top level, each where a reader looks for it; here is a link to each, so that
editors, type checkers and tests see the tree that people install.
"""
