import type { Marks, World, WorldValue } from './world.ts'

export function marksOf(seed: number, people: readonly string[]): Marks {
  let given = 0
  return { next: () => `qzq${seed}x${(given += 1)}qzq`, people }
}

const MARK = /qzq\d+x\d+qzq/g

export const marksIn = (text: string): readonly string[] => [...new Set(text.match(MARK))]

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

const textsOf = (view: World, value: WorldValue): readonly string[] =>
  (typeof value === 'object' ? (value ?? []) : [String(value)]).flatMap((one) => [one, view.fileNames.get(one) ?? ''])
