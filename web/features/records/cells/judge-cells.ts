import type { Field } from '#domain/fields/field.ts'
import { checkValue, isEmptyValue } from '#domain/fields/kinds.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { wireValue } from '#web/fields/shown-value.ts'
import { t } from '#web/language/t.ts'
import type { RecordLine } from '../record-line.ts'
import type { RuleJudge } from '../rule-breaches.ts'
import { byRecord, type CellChange } from './cell-change.ts'
import type { CellFault } from './cell-edits.ts'

/** What is wrong with a value of a field, in a sentence about “it”; undefined when nothing is. */
export function valueFault(field: Field, value: unknown): string | undefined {
  const checked = checkValue(field, wireValue(field, value) ?? null)
  if (!checked.ok) return checked.fault.message
  return field.required && isEmptyValue(checked.value) ? t('It must be filled in.') : undefined
}

/** What is wrong with the values some cells are to get, each by itself. */
export function valueFaults({ fields }: KnownCollection, changes: readonly CellChange[]): readonly CellFault[] {
  const fieldOf = new Map(fields.map((field) => [field.name, field]))
  return changes.flatMap(({ record, field: name, is }) => {
    const field = fieldOf.get(name)
    const message = field && valueFault(field, is)
    return message === undefined ? [] : [{ record, field: name, message }]
  })
}

/** The rules that changes would break, as far as they can be judged here: the server judges them all. */
export function ruleFaults(
  judge: RuleJudge | undefined,
  changes: readonly CellChange[],
  lines: readonly RecordLine[],
): readonly CellFault[] {
  if (!judge) return []
  const lineOf = new Map(lines.map((line) => [line.record.id, line]))
  return [...byRecord(changes)].flatMap(([record, cells]) => {
    const line = lineOf.get(record)
    const edits = Object.fromEntries(cells.map(({ field, is }) => [field, is]))
    const { breaches } = line ? judge(line.record.values, edits) : NOTHING
    return breaches.map(({ path, fields, message }) => {
      // A rule is told beside the field it is about, or beside the first that was changed of those it names.
      const field = path === '' ? (fields.find((name) => Object.hasOwn(edits, name)) ?? '') : path
      return { record, field, message }
    })
  })
}

const NOTHING = { breaches: [] } as const
