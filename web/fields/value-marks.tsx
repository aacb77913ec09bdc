import { createContext, type ReactNode, useContext } from 'react'
import { MarkedText, type TextRange } from '#web/kit/marked-text.tsx'
import { markedLine } from './marked-line.ts'

/** Where a search hit in one value: from, to and, in a field of many values, the place of the value. */
export type ValueMarks = readonly (readonly number[])[]

const NO_MARKS: ValueMarks = []

const Marks = createContext<ValueMarks>(NO_MARKS)

/** Tells the value inside where a search hit in it. */
export function WithMarks({ marks, children }: { readonly marks: ValueMarks; readonly children: ReactNode }) {
  return <Marks value={marks}>{children}</Marks>
}

/** The stretches of one value that were looked for. */
function useMarks(entry = 0): readonly TextRange[] {
  const marks = useContext(Marks)
  return marks === NO_MARKS ? NO_RANGES : rangesOf(marks, entry)
}

/** The places, in a field of many values, in which something was looked for. */
export const useMarkedEntries = (): ReadonlySet<number> => new Set(useContext(Marks).map(([, , place = 0]) => place))

const NO_RANGES: readonly TextRange[] = []

const rangesOf = (marks: ValueMarks, entry: number): readonly TextRange[] =>
  marks.flatMap(([from = 0, to = 0, place = 0]): TextRange[] => (place === entry ? [[from, to]] : []))

type MarkedProps = {
  readonly text: string
  /** The place of the value in a field of many. */
  readonly entry?: number
  /** Where what is shown begins in the whole value. */
  readonly from?: number
}

/** What a value says, with what was looked for marked in it. */
export function Marked({ text, entry = 0, from = 0 }: MarkedProps) {
  const ranges = useMarks(entry)
  if (ranges.length === 0) return text
  return <MarkedText text={text} ranges={ranges.map(([start, end]) => [start - from, end - from])} />
}

/** A text of any length in one line; where something was looked for far inside, the line begins near it. */
export function MarkedLine({ text }: { readonly text: string }) {
  const line = markedLine(text, useMarks())
  return <MarkedText text={line.text} ranges={line.ranges} />
}
