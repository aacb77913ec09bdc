import type { Field } from '#domain/fields/field.ts'
import { checkValue, isEmptyValue } from '#domain/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from './cell-context.ts'
import type { RuleChecker } from '#web/shared/validation-rules/rule-violations.ts'
import { byRecord, type CellChange, type RecordCellError } from './store/cell-edits.ts'

/** What is wrong with a value of a field, in a sentence about “it”; undefined when nothing is. */
export function valueError(field: Field, value: unknown): string | undefined {
  const checked = checkValue(field, toWireValue(field, value) ?? null)
  if (!checked.ok) return checked.fault.message
  return field.required && isEmptyValue(checked.value) ? t('This field is required.') : undefined
}

/** What is wrong with the values some cells are to get, each by itself. */
export function valueErrors({ fields }: TypedCollection, changes: readonly CellChange[]): readonly RecordCellError[] {
  const fieldOf = new Map(fields.map((field) => [field.name, field]))
  return changes.flatMap(({ record, field: name, is }) => {
    const field = fieldOf.get(name)
    const message = field && valueError(field, is)
    return message === undefined ? [] : [{ record, field: name, message }]
  })
}

/** The rules that changes would break, as far as they can be judged here: the server judges them all. */
export function ruleErrors(
  judge: RuleChecker | undefined,
  changes: readonly CellChange[],
  lines: readonly RecordRow[],
): readonly RecordCellError[] {
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
