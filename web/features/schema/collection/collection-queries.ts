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

/** Null if the collection doesn't exist. */
type CollectionState = {
  readonly collection: TypedCollection | null | undefined
  readonly error: Error | null
  readonly retry: () => void
}

export function useCollection(nameOrId: string): CollectionState {
  const { data, error, refetch } = useQuery(collectionsQuery)
  const body = data?.find(({ name }) => name === nameOrId) ?? data?.find(({ id }) => id === nameOrId)
  const known = useMemo(() => body && typedCollection(body), [body])
  return { collection: data === undefined ? undefined : (known ?? null), error, retry: () => void refetch() }
}

/** Updates the cached definition and invalidates dependent queries. */
function takeDefinition(queryClient: QueryClient, changed: CollectionBody): void {
  queryClient.setQueryData(collectionsQuery.queryKey, (before) =>
    before?.some(({ id }) => id === changed.id)
      ? before.map((each) => (each.id === changed.id ? changed : each))
      : before && [...before, changed],
  )
  void queryClient.invalidateQueries({ queryKey: queryKeys.collections })
  void queryClient.invalidateQueries({ queryKey: ['records'] })
}

function useDefinitionChange<Input, Output extends CollectionBody>(run: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: (changed) => takeDefinition(queryClient, changed) })
}

type NewCollection = CallInput<typeof createCollection>['body']

/** Without fields, the collection starts with Title, Notes and Files. */
export const useCreateCollection = () =>
  useDefinitionChange((body: Pick<NewCollection, 'label' | 'description'>) => call(createCollection, { body }))

export type CollectionChange = NonNullable<CallInput<typeof changeCollection>['body']>

export const useChangeCollection = (collection: string) =>
  useDefinitionChange((body: CollectionChange) => call(changeCollection, { params: { collection }, body }))

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

export type NewField = CallInput<typeof addField>['body']

export const useAddField = (collection: string) =>
  useDefinitionChange((body: NewField) => call(addField, { params: { collection }, body }))

/** Refers to the field by id, because its name may change. */
export type ChangedField = { readonly field: string; readonly body: NonNullable<CallInput<typeof changeField>['body']> }

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

export const useRemoveField = (collection: string) =>
  useDefinitionChange((field: string) => call(removeField, { params: { collection, field } }))
