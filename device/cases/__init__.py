"""Case files: what each call was measured from, kept so that anybody can measure it again, today or in a year."""
