import type { QueryClient } from '@tanstack/react-query'
import { placeOfFile } from '#api/files.ts'
import { readRecord } from '#api/records.ts'
import { call } from '#web/client/call.ts'
import { collectionsQuery } from '#web/client/collections-query.ts'
import { typedCollection } from '../known-field.ts'
import { recordTitle } from '../record-title.ts'
import { toClientValue } from '../shown-value.ts'
import type { FilesGroup } from './files-in-sight.ts'

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
