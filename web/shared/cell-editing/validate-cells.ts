import type { Field } from '#domain/fields/field.ts'
import { checkValue, isEmptyValue } from '#domain/fields/kinds.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from './cell-context.ts'
import type { RuleChecker } from '#web/shared/validation-rules/rule-violations.ts'
import { byRecord, type CellChange, type RecordCellError } from './store/cell-edits.ts'

/** Undefined if the value is valid. */
export function valueError(field: Field, value: unknown): string | undefined {
  const checked = checkValue(field, toWireValue(field, value) ?? null)
  if (!checked.ok) return checked.fault.message
  return field.required && isEmptyValue(checked.value) ? t('This field is required.') : undefined
}

export function valueErrors({ fields }: TypedCollection, changes: readonly CellChange[]): readonly RecordCellError[] {
  const fieldOf = new Map(fields.map((field) => [field.name, field]))
  return changes.flatMap(({ record, field: name, is }) => {
    const field = fieldOf.get(name)
    const message = field && valueError(field, is)
    return message === undefined ? [] : [{ record, field: name, message }]
  })
}

/** Only for immediate feedback; the server validates all rules. */
export function ruleErrors(
  checker: RuleChecker | undefined,
  changes: readonly CellChange[],
  lines: readonly RecordRow[],
): readonly RecordCellError[] {
  if (!checker) return []
  const lineOf = new Map(lines.map((line) => [line.record.id, line]))
  return [...byRecord(changes)].flatMap(([record, cells]) => {
    const line = lineOf.get(record)
    const edits = Object.fromEntries(cells.map(({ field, is }) => [field, is]))
    const { breaches } = line ? checker(line.record.values, edits) : NOTHING
    return breaches.map(({ path, fields, message }) => {
      // Shown at the rule's field or, if it has none, at the first changed field that the rule uses.
      const field = path === '' ? (fields.find((name) => Object.hasOwn(edits, name)) ?? '') : path
      return { record, field, message }
    })
  })
}

const NOTHING = { breaches: [] } as const
