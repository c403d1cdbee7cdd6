"""Seeing with calibrated eyes: caps and cards in a frame, followed through time, told as testimony.

Imports `calibration` only. Vision is plain functions over frames; what must remember does so in one named class.
A name is loaded when it is first asked for: who follows caps never loads what reads cards, and the camera's process
loads frames alone.
"""

from typing import TYPE_CHECKING

from linesies.late import late

if TYPE_CHECKING:
    from linesies.vision.caps.apparent_width import looks_wide as looks_wide
    from linesies.vision.caps.cap import Cap as Cap
    from linesies.vision.caps.cap import Kind as Kind
    from linesies.vision.caps.cap import KnownCap as KnownCap
    from linesies.vision.caps.cap import caps_from_file as caps_from_file
    from linesies.vision.caps.cap import caps_to_file as caps_to_file
    from linesies.vision.caps.cap import doubles as doubles
    from linesies.vision.caps.cap import read_caps as read_caps
    from linesies.vision.caps.draw import draw_call as draw_call
    from linesies.vision.caps.draw import draw_evidence as draw_evidence
    from linesies.vision.caps.exhibit import pictures_of as pictures_of
    from linesies.vision.caps.find import find_unknown_caps as find_unknown_caps
    from linesies.vision.caps.judge import Judge as Judge
    from linesies.vision.caps.judge import Judged as Judged
    from linesies.vision.caps.judge import judge_again as judge_again
    from linesies.vision.caps.known import NotSeen as NotSeen
    from linesies.vision.caps.known import expected_sigma_mm as expected_sigma_mm
    from linesies.vision.cards.card import CARD_MM as CARD_MM
    from linesies.vision.cards.card import Card as Card
    from linesies.vision.cards.card import Outline as Outline
    from linesies.vision.cards.card import Reading as Reading
    from linesies.vision.cards.card import rectify as rectify
    from linesies.vision.cards.draw import draw_card as draw_card
    from linesies.vision.cards.find.finding import CardFinder as CardFinder
    from linesies.vision.cards.judge import CardJudge as CardJudge
    from linesies.vision.cards.judge import Reader as Reader
    from linesies.vision.cards.learn.deck import LearnedDeck as LearnedDeck
    from linesies.vision.cards.learn.die import DieReading as DieReading
    from linesies.vision.cards.learn.die import LearnedDie as LearnedDie
    from linesies.vision.cards.learn.die import photograph_die as photograph_die
    from linesies.vision.cards.learn.die import read_die as read_die
    from linesies.vision.cards.learn.lesson import CardPhoto as CardPhoto
    from linesies.vision.cards.learn.lesson import Lesson as Lesson
    from linesies.vision.cards.learn.lesson import learn as learn
    from linesies.vision.cards.learn.lesson import photograph as photograph
    from linesies.vision.cards.read.glyphs import LETTERS as LETTERS
    from linesies.vision.cards.read.reading import StandardReader as StandardReader
    from linesies.vision.cards.read.reading import open_reader as open_reader
    from linesies.vision.cards.table.plays import TableWatcher as TableWatcher
    from linesies.vision.cards.table.told import TableEvent as TableEvent
    from linesies.vision.errors import BadInput as BadInput
    from linesies.vision.errors import VisionError as VisionError
    from linesies.vision.exhibit import Crop as Crop
    from linesies.vision.exhibit import Exhibit as Exhibit
    from linesies.vision.picture.cutting import CutOut as CutOut
    from linesies.vision.picture.cutting import cut_out as cut_out
    from linesies.vision.picture.frame import Frame as Frame
    from linesies.vision.picture.frame import Image as Image
    from linesies.vision.picture.frame import Layout as Layout
    from linesies.vision.picture.glance import GlancedFrame as GlancedFrame
    from linesies.vision.picture.glance import glance_at as glance_at
    from linesies.vision.picture.top_down import Drawn as Drawn
    from linesies.vision.proof.certificate import Certificate as Certificate
    from linesies.vision.proof.certificate import certify as certify
    from linesies.vision.proof.correction import Correction as Correction
    from linesies.vision.proof.errors import Summary as Summary
    from linesies.vision.proof.findings import Finding as Finding
    from linesies.vision.proof.findings import findings_of as findings_of
    from linesies.vision.proof.findings import not_vouched as not_vouched
    from linesies.vision.proof.gauge import BANK_CARD_MM as BANK_CARD_MM
    from linesies.vision.proof.gauge import BANK_CARD_TALL_MM as BANK_CARD_TALL_MM
    from linesies.vision.proof.gauge import CARD_MIDDLE_MM as CARD_MIDDLE_MM
    from linesies.vision.proof.gauge import CHEQUER_MM as CHEQUER_MM
    from linesies.vision.proof.gauge import CIRCLES_MM as CIRCLES_MM
    from linesies.vision.proof.gauge import DISC_RGB as DISC_RGB
    from linesies.vision.proof.gauge import GROUND_MM as GROUND_MM
    from linesies.vision.proof.gauge import GROUND_SHARE as GROUND_SHARE
    from linesies.vision.proof.gauge import OUTLINE_GREY as OUTLINE_GREY
    from linesies.vision.proof.gauge import OUTLINE_MM as OUTLINE_MM
    from linesies.vision.proof.gauge import CapSeat as CapSeat
    from linesies.vision.proof.gauge import Gauge as Gauge
    from linesies.vision.proof.gauge import bank_card_mm as bank_card_mm
    from linesies.vision.proof.gauge import chequers_mm as chequers_mm
    from linesies.vision.proof.gauge import draw_gauge as draw_gauge
    from linesies.vision.proof.gauge import seated_at as seated_at
    from linesies.vision.proof.measuring import NoProof as NoProof
    from linesies.vision.proof.measuring import Station as Station
    from linesies.vision.proof.measuring import Trial as Trial
    from linesies.vision.proof.measuring import measure_station as measure_station
    from linesies.vision.proof.paint import PaintCheck as PaintCheck
    from linesies.vision.proof.paint import check_paint as check_paint
    from linesies.vision.shadow_light import ShadowLight as ShadowLight
    from linesies.vision.shots.standing import where_it_stands as where_it_stands
    from linesies.vision.shots.watcher import Watcher as Watcher
    from linesies.vision.values import Call as Call
    from linesies.vision.values import CameraLeaned as CameraLeaned
    from linesies.vision.values import CameraMoved as CameraMoved
    from linesies.vision.values import Event as Event
    from linesies.vision.values import Expectation as Expectation
    from linesies.vision.values import Hit as Hit
    from linesies.vision.values import Judgement as Judgement
    from linesies.vision.values import Placed as Placed
    from linesies.vision.values import Scene as Scene
    from linesies.vision.values import Shot as Shot
else:
    __getattr__ = late(__name__, __file__)
