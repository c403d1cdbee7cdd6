"""The commands that play without a street."""
