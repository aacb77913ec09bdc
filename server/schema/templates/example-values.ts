import { userIdOf } from '#domain/access/actor.ts'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { holdsList } from '#domain/fields/field.ts'
import type { NamedValues } from '#domain/records/check-values.ts'
import { documentOfText } from '#domain/rich-text/text-to-document.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import { shiftDay } from '#domain/shared/zoned-day.ts'
import type { TemplateRecord, TemplateValue } from '#domain/templates/template.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'

/** The examples made so far, by their titles. */
export type CreatedTitles = Map<CollectionId, ReadonlyMap<string, RecordId>>

/** The values of an example as a person would send them. */
export function exampleValues(
  writing: Writing,
  collection: Collection,
  example: TemplateRecord,
  titles: CreatedTitles,
): NamedValues {
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      inputValue(writing, fieldByName(collection, name), value, titles),
    ]),
  )
}

function inputValue(writing: Writing, field: Field | undefined, value: TemplateValue, titles: CreatedTitles): unknown {
  if (typeof value === 'object' && 'inDays' in value) return shiftDay(writing.at.slice(0, 10), value.inDays, 'days')
  if (typeof value === 'object' && 'person' in value) return userIdOf(writing.actor)
  if (field?.kind === 'rich-text') return documentOfText(String(value))
  if (field?.kind !== 'relation') return value
  const made = titles.get(field.options.collection)
  const ids = [value].flat().map((title) => made?.get(String(title)))
  return holdsList(field) ? ids : ids[0]
}
