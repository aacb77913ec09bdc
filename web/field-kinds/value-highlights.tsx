import { createContext, type ReactNode, useContext } from 'react'
import { HighlightedText, type TextRange } from '#web/ui/text/highlighted-text.tsx'
import { highlightedExcerpt } from './highlighted-excerpt.ts'

/** Where a search hit in one value: from, to and, in a field of many values, the place of the value. */
export type ValueHighlights = readonly (readonly number[])[]

const NO_HIGHLIGHTS: ValueHighlights = []

const HighlightsContext = createContext<ValueHighlights>(NO_HIGHLIGHTS)

/** Tells the value inside where a search hit in it. */
export function WithHighlights({ marks, children }: { readonly marks: ValueHighlights; readonly children: ReactNode }) {
  return <HighlightsContext value={marks}>{children}</HighlightsContext>
}

/** The stretches of one value that were looked for. */
function useHighlights(entry = 0): readonly TextRange[] {
  const marks = useContext(HighlightsContext)
  return marks === NO_HIGHLIGHTS ? NO_RANGES : rangesOf(marks, entry)
}

/** The places, in a field of many values, in which something was looked for. */
export const useHighlightedEntries = (): ReadonlySet<number> =>
  new Set(useContext(HighlightsContext).map(([, , place = 0]) => place))

const NO_RANGES: readonly TextRange[] = []

const rangesOf = (marks: ValueHighlights, entry: number): readonly TextRange[] =>
  marks.flatMap(([from = 0, to = 0, place = 0]): TextRange[] => (place === entry ? [[from, to]] : []))

type HighlightedProps = {
  readonly text: string
  /** The place of the value in a field of many. */
  readonly entry?: number
  /** Where what is shown begins in the whole value. */
  readonly from?: number
}

/** What a value says, with what was looked for marked in it. */
export function Highlighted({ text, entry = 0, from = 0 }: HighlightedProps) {
  const ranges = useHighlights(entry)
  if (ranges.length === 0) return text
  return <HighlightedText text={text} ranges={ranges.map(([start, end]) => [start - from, end - from])} />
}

/** A text of any length in one line; where something was looked for far inside, the line begins near it. */
export function HighlightedLine({ text }: { readonly text: string }) {
  const line = highlightedExcerpt(text, useHighlights())
  return <HighlightedText text={line.text} ranges={line.ranges} />
}
