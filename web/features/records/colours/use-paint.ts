import { useMemo } from 'react'
import type { RecordLineBody } from '#api/records.ts'
import { useUser } from '#web/client/use-session.ts'
import { useFindCollection } from '#web/fields/conditions/use-find-collection.ts'
import type { RowPaint } from '#web/kit/grid/row-paint.ts'
import type { DressedList } from '../dressing/dressing-props.ts'
import type { ColorRule } from '../grid-layout.ts'
import type { RecordLine } from '../record-line.ts'
import { type PaintWorld, paintJudge } from './paint-judge.ts'
import { wordsOf } from './rule-words.ts'
import './colours.css'

/** How the rows of a list are coloured; undefined where they are not. */
export function usePaint({ collection, look }: DressedList): ((line: RecordLine) => RowPaint | undefined) | undefined {
  const findCollection = useFindCollection()
  const userId = useUser()?.id ?? null
  const { colors } = look
  return useMemo(() => {
    if (colors.length === 0) return undefined
    const paint = painter(colors, { collection, findCollection, userId, now: new Date() })
    return ({ record }) => paint(record)
  }, [collection, findCollection, userId, colors])
}

/** Colours records, each looked at once for as long as it stays the same. */
function painter(rules: readonly ColorRule[], world: PaintWorld) {
  const judge = paintJudge(rules, world)
  const words = rules.map(({ filter }) => wordsOf(filter, world))
  const known = new WeakMap<RecordLineBody, { readonly paint: RowPaint | undefined }>()
  return (record: RecordLineBody): RowPaint | undefined => {
    const before = known.get(record)
    if (before) return before.paint
    const paint = paintOf(rules, words, judge(record))
    known.set(record, { paint })
    return paint
  }
}

/** The first rule that fits decides: of those for the row, and of those for each column. */
function paintOf(
  rules: readonly ColorRule[],
  words: readonly string[],
  fitting: readonly number[],
): RowPaint | undefined {
  const marks = new Map<string | null, NonNullable<RowPaint['row']>>()
  for (const at of fitting) {
    const rule = rules[at]
    if (!rule || marks.has(rule.field)) continue
    marks.set(rule.field, { hue: rule.color, sign: String(at + 1), why: words[at] ?? '' })
  }
  if (marks.size === 0) return undefined
  const row = marks.get(null)
  const cells = [...marks].flatMap(([field, mark]) => (field === null ? [] : [[field, mark] as const]))
  return { ...(row && { row }), cells: Object.fromEntries(cells) }
}
