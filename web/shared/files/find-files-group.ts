import type { QueryClient } from '@tanstack/react-query'
import { placeOfFile } from '#api/files.ts'
import { readRecord } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import type { FilesGroup } from './visible-files.ts'

/** Asks the server for a file that nothing in the page shows, with those it stands among; undefined: it is gone. */
export async function findFilesGroup(
  queries: QueryClient,
  file: string,
  signal: AbortSignal,
): Promise<FilesGroup | undefined> {
  const { collection: name, record: id, field: fieldName } = await call(placeOfFile, { params: { file }, signal })
  const [record, collections] = await Promise.all([
    call(readRecord, { params: { collection: name, record: id }, query: { expand: '*' }, signal }),
    queries.ensureQueryData(collectionsQuery),
  ])
  const body = collections.find((each) => each.name === name)
  const collection = body && typedCollection(body)
  const field = collection?.fields.find((each) => each.name === fieldName)
  if (!collection || !field) return undefined
  const files = toClientValue('files', record.values[fieldName])
  if (files.every((each) => each.id !== file)) return undefined
  return { key: `${id} ${field.id}`, files, place: `${field.label}, ${recordTitle(collection, record)}` }
}
