import type { QueryClient } from '@tanstack/react-query'
import { changeField } from '#api/collections.ts'
import type { Field, SelectKind } from '#domain/fields/field.ts'
import { NEW_OPTION_COLOR } from '#domain/fields/field-options.ts'
import { findOption } from '#domain/fields/select.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { type TypedCollection, typedCollection } from './typed-collection.ts'

/** Maximum number of frames to wait until pages use the new definition. */
const MAX_FRAMES = 60

let queue: Promise<unknown> = Promise.resolve()

/**
 * Adds options to a field and returns the new definition. Calls run one at a time, so that they don't overwrite each
 * other.
 */
export function addOptions(...options: Parameters<typeof addNow>): Promise<TypedCollection | undefined> {
  const added = queue.then(() => addNow(...options))
  queue = added.then(undefined, () => undefined)
  return added
}

async function addNow(
  queryClient: QueryClient,
  collectionId: string,
  { id }: Field<SelectKind>,
  names: readonly string[],
): Promise<TypedCollection | undefined> {
  const current = (await readCollection(queryClient, collectionId))?.fields.find((field) => field.id === id)
  if (current?.kind !== 'select' && current?.kind !== 'multi-select') return undefined
  const missing = names.filter((name) => findOption(current, name) === undefined)
  const added = missing.map((name) => ({ name, color: NEW_OPTION_COLOR }))
  const options = { choices: [...current.options.choices, ...added] }
  if (added.length > 0) await call(changeField, { params: { collection: collectionId, field: id }, body: { options } })
  return readCollection(queryClient, collectionId)
}

async function readCollection(queryClient: QueryClient, id: string): Promise<TypedCollection | undefined> {
  const collections = await queryClient.fetchQuery({ ...collectionsQuery, staleTime: 0 })
  const body = collections.find((collection) => collection.id === id)
  return body && typedCollection(body)
}

/** Resolves after a page has rendered the new definition. */
export async function untilShown(isShown: () => boolean): Promise<void> {
  for (let frame = 0; frame < MAX_FRAMES && !isShown(); frame += 1) await new Promise(requestAnimationFrame)
}
