import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  addField,
  changeCollection,
  changeField,
  type CollectionBody,
  createCollection,
  deleteCollection,
  removeField,
} from '#api/collections.ts'
import { call, type CallInput } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { type TypedCollection, typedCollection } from '#web/shared/fields/typed-collection.ts'

/** A collection by its name or id, with the state of asking for it; `collection` is null when there is none. */
export type CollectionState = {
  readonly collection: TypedCollection | null | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** The collection an address names. */
export function useCollection(nameOrId: string): CollectionState {
  const { data, error, refetch } = useQuery(collectionsQuery)
  const body = data?.find(({ name }) => name === nameOrId) ?? data?.find(({ id }) => id === nameOrId)
  const known = useMemo(() => body && typedCollection(body), [body])
  return { collection: data === undefined ? undefined : (known ?? null), error, retry: () => void refetch() }
}

/** Puts a changed definition among the others; what was read by the old one is read anew. */
function takeDefinition(queryClient: QueryClient, changed: CollectionBody): void {
  queryClient.setQueryData(collectionsQuery.queryKey, (before) =>
    before?.some(({ id }) => id === changed.id)
      ? before.map((each) => (each.id === changed.id ? changed : each))
      : before && [...before, changed],
  )
  void queryClient.invalidateQueries({ queryKey: queryKeys.collections })
  void queryClient.invalidateQueries({ queryKey: ['records'] })
}

/** Makes a collection. Without fields it starts with Title, Notes and Files. */
export function useCreateCollection() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (label: string) => call(createCollection, { body: { label } }),
    onSuccess: (made) => takeDefinition(queryClient, made),
  })
}

/** What can be changed of a collection itself. */
export type CollectionChange = NonNullable<CallInput<typeof changeCollection>['body']>

/** A field as it is asked for. */
export type NewField = CallInput<typeof addField>['body']

/** What can be changed of a field, named by its id so that a new name cannot lose it. */
export type ChangedField = { readonly field: string; readonly body: NonNullable<CallInput<typeof changeField>['body']> }

/** Renames a collection, moves it, or chooses the field that names its records. */
export function useChangeCollection(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CollectionChange) => call(changeCollection, { params: { collection }, body }),
    onSuccess: (changed) => takeDefinition(queryClient, changed),
  })
}

/** Removes a collection with its records. */
export function useDeleteCollection(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(deleteCollection, { params: { collection } }),
    onSuccess: () => {
      queryClient.setQueryData(collectionsQuery.queryKey, (before) =>
        before?.filter(({ id, name }) => id !== collection && name !== collection),
      )
      void queryClient.invalidateQueries({ queryKey: queryKeys.collections })
    },
  })
}

/** Adds a field at the end. */
export function useAddField(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewField) => call(addField, { params: { collection }, body }),
    onSuccess: (changed) => takeDefinition(queryClient, changed),
  })
}

/** Changes one field. */
export function useChangeField(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ field, body }: ChangedField) => call(changeField, { params: { collection, field }, body }),
    onSuccess: (said) =>
      'job' in said
        ? void queryClient.invalidateQueries({ queryKey: queryKeys.jobs })
        : takeDefinition(queryClient, said),
  })
}

/** Removes a field with its values. */
export function useRemoveField(collection: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (field: string) => call(removeField, { params: { collection, field } }),
    onSuccess: (changed) => takeDefinition(queryClient, changed),
  })
}
