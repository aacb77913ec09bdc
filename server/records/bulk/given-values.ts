import type { Collection } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import { isEmptyValue } from '#domain/fields/kinds.ts'
import { checkChangedValues, fieldsNamed, type HiddenFields, type NamedValues } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { PartProblem } from '#domain/shared/problem.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { checkReferences } from '#server/records/values/check-references.ts'
import { validValues, assertValid } from '#server/records/values/value-errors.ts'
import type { TaskScope } from './find-records.ts'
import type { Task } from './task.ts'

export type TaskValues = { readonly values: RecordValues; readonly add: RecordValues; readonly take: RecordValues }

export function taskValues(contexts: readonly TaskScope[], task: Task): TaskValues {
  let given: TaskValues = { values: {}, add: {}, take: {} }
  for (const { collection, read, change } of contexts) {
    assertValid(duplicateFields(collection, task))
    given = {
      values: validValues(checkChangedValues(collection, task.values, change.hiddenFields)),
      // Adding a value that is already in a list is not an error, because reporting it would require read permission.
      add: listsIn(collection, task.add, new Set([...change.hiddenFields, ...read.hiddenFields])),
      take: listsIn(collection, task.take, new Set([...change.hiddenFields, ...read.hiddenFields])),
    }
  }
  return given
}

function listsIn(collection: Collection, lists: NamedValues = {}, hidden: HiddenFields): RecordValues {
  const single = fieldsNamed(collection, lists).filter((field) => !hidden.has(field.id) && !isOpenList(field))
  assertValid(
    single.map(({ name, label }) => ({
      path: name,
      code: 'not-a-list',
      message: `${label} doesn’t allow multiple options, records or people.`,
    })),
  )
  return validValues(checkChangedValues(collection, lists, hidden))
}

const isOpenList = (field: Field): boolean => holdsList(field) && field.kind !== 'files'

function duplicateFields({ fields }: Collection, { values, add = {}, take = {} }: Task): PartProblem[] {
  const isTwice = ({ name }: Field): boolean =>
    Object.hasOwn(values, name) && (Object.hasOwn(add, name) || Object.hasOwn(take, name))
  return fields.filter(isTwice).map(({ name, label }) => ({
    path: name,
    code: 'named-twice',
    message: `For ${label}, either set a value, or add and remove list items, not both.`,
  }))
}

export function changedValuesFor({ values }: CollectionRecord, given: TaskValues): RecordValues {
  const after: { [field: string]: FieldValue } = { ...given.values }
  for (const id of new Set([...Object.keys(given.add), ...Object.keys(given.take)])) {
    const out = new Set(listOf(given.take[id]))
    const staying = listOf(values[id]).filter((one) => !out.has(one))
    after[id] = [...new Set([...staying, ...listOf(given.add[id])])]
  }
  return after
}

const listOf = (value: FieldValue | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

export function assertNotEmptied(collection: Collection, { values }: CollectionRecord, after: RecordValues): void {
  assertValid(
    collection.fields
      .filter((field) => field.required && Object.hasOwn(after, field.id) && isEmptyValue(after[field.id] ?? null))
      .filter((field) => !isEmptyValue(values[field.id] ?? null))
      .map(({ name, label }) => ({ path: name, code: 'required', message: `${label} is required.` })),
  )
}

/** Rejects references to missing or hidden records before determining the changed records. */
export async function assertReferences(writing: Writing, collection: Collection, given: TaskValues): Promise<void> {
  const { values, add, take } = given
  const coming = await checkReferences(writing, collection, { before: {}, after: { ...values, ...add } })
  // Users who have left can be removed from a list; hidden records can't, because that would reveal them.
  assertValid([...coming, ...(await checkReferences(writing, collection, { before: take, after: take }))])
}
