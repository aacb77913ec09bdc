import type { CollectionBody } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { PLAIN_FORM, outsideValue } from '#domain/records/named-values.ts'
import { hiddenDefinitionFields, permissionsIn } from './find-collection.ts'

/** A definition as one actor sees it. */
export function showCollection(actor: Actor, collection: Collection): CollectionBody {
  const hidden = hiddenDefinitionFields(actor, collection)
  const fields = collection.fields.filter((field) => !hidden.has(field.id))
  return {
    id: collection.id,
    name: collection.name,
    label: collection.label,
    fields: fields.map(showField),
    titleField: fields.find((field) => field.id === collection.titleField)?.name ?? null,
    version: collection.version,
    can: permissionsIn(actor, collection),
  }
}

const showField = (field: Field): CollectionBody['fields'][number] => ({
  id: field.id,
  name: field.name,
  label: field.label,
  kind: field.kind,
  required: field.required,
  unique: field.unique,
  default: outsideValue(field, field.default, PLAIN_FORM),
  options: { ...field.options },
})
