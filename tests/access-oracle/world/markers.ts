import type { Marks, World, WorldValue } from './world.ts'

/** The marks of one world. */
export function marksOf(seed: number, people: readonly string[]): Marks {
  let given = 0
  return { next: () => `qzq${seed}x${(given += 1)}qzq`, people }
}

const MARK = /qzq\d+x\d+qzq/g

/** The marks in a text. */
export const marksIn = (text: string): readonly string[] => [...new Set(text.match(MARK))]

/** The marks in all that somebody sees of a world. */
export function marksSeen(view: World): readonly string[] {
  const texts = view.collections.flatMap(({ label, fields, records, laws }) => [
    label,
    ...fields.flatMap(({ name, label }) => [name, label]),
    ...records.flatMap((record) => Object.values(record.values).flatMap((value) => textsOf(view, value))),
    ...laws.rules.map(({ message }) => message),
    ...(laws.workflow?.moves.map(({ name }) => name) ?? []),
  ])
  return marksIn(texts.join(' '))
}

/** The texts of a value; of a file its name. */
const textsOf = (view: World, value: WorldValue): readonly string[] =>
  (typeof value === 'object' ? (value ?? []) : [String(value)]).flatMap((one) => [one, view.fileNames.get(one) ?? ''])
