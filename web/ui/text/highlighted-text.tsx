import { Fragment } from 'react'
import './highlighted-text.css'

/** A range in UTF-16 code units; the end is exclusive. */
export type TextRange = readonly [from: number, to: number]

export type TextPiece = { readonly text: string; readonly isMarked: boolean; readonly from: number }

export function piecesOf(text: string, ranges: readonly TextRange[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  const cut = (from: number, to: number, isMarked: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to), isMarked, from })
  }
  for (const [from, to] of ranges) {
    const begin = Math.max(at, Math.min(from, text.length))
    const end = Math.max(begin, Math.min(to, text.length))
    cut(at, begin, false)
    cut(begin, end, true)
    at = end
  }
  cut(at, text.length, false)
  return pieces
}

export function HighlightedText({ text, ranges }: { readonly text: string; readonly ranges: readonly TextRange[] }) {
  if (ranges.length === 0) return text
  return piecesOf(text, ranges).map((piece) => (
    <Fragment key={piece.from}>{piece.isMarked ? <mark className="hit">{piece.text}</mark> : piece.text}</Fragment>
  ))
}
