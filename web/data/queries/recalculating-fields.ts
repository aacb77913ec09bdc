import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { listRecords } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { isComputed } from '#domain/formulas/value-field.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'

const POLL_INTERVAL_MS = 2000

/** The names of fields whose values aren't current, because they are recalculated in the background. */
const recalculatingQuery = (collection: string) =>
  queryOptions({
    queryKey: queryKeys.recordList(collection, { recalculating: true }),
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const query = { perPage: 1, fields: '', count: 'none' } as const
      return (await call(listRecords, { params: { collection }, query, signal })).recalculating ?? NONE
    },
    refetchInterval: ({ state }) => (state.data?.length ? POLL_INTERVAL_MS : false),
  })

const NONE: readonly string[] = []

type FieldsOfCollection = { readonly name: string; readonly fields: readonly Field[] }

/** The fields of a collection that are being recalculated. Its records are read again when this ends. */
export function useRecalculating({ name, fields }: FieldsOfCollection): readonly Field[] {
  const queryClient = useQueryClient()
  const { data = NONE } = useQuery({ ...recalculatingQuery(name), enabled: fields.some(isComputed) })
  const before = useRef(NONE)
  useEffect(() => {
    const isDone = data.length < before.current.length
    before.current = data
    if (isDone) void queryClient.invalidateQueries({ queryKey: queryKeys.records(name) })
  }, [data, name, queryClient])
  return useMemo(() => fields.filter((field) => data.includes(field.name)), [fields, data])
}
