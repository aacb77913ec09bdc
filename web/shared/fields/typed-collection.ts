import type { CollectionBody } from '#api/collections.ts'
import type { Field } from '#domain/fields/field.ts'

/** A field as the API tells it. */
export type FieldBody = CollectionBody['fields'][number]

/** A collection whose fields know their kinds. */
export type TypedCollection = Omit<CollectionBody, 'fields'> & { readonly fields: readonly Field[] }

/** The fields of a collection by their kinds. */
export const typedCollection = (body: CollectionBody): TypedCollection => ({
  ...body,
  fields: body.fields.map(typedField),
})

/** A field by its kind: which options belong to which kind is the server's promise, which its schema cannot spell. */
const typedField = (body: FieldBody): Field => body as unknown as Field

/** The field that names the collection's records. */
export const titleFieldOf = (collection: TypedCollection): Field | undefined =>
  collection.fields.find((field) => field.name === collection.titleField)
