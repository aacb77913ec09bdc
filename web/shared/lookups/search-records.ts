import type { QueryClient } from '@tanstack/react-query'
import { listRecords } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { type DropdownOption, NO_OPTIONS, type OptionSearch } from '#web/ui/dropdown/option.tsx'

import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { firstOptions } from './first-options.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'

export const recordSearch =
  (queryClient: QueryClient, collectionId: string): OptionSearch =>
  async (text, signal) => {
    const collections = await queryClient.ensureQueryData(collectionsQuery)
    const body = collections.find(({ id }) => id === collectionId)
    if (!body) return NO_OPTIONS
    const collection = typedCollection(body)
    const { titleField } = collection
    return firstOptions(async (page, perPage) => {
      const { items, total, totalIs } = await call(listRecords, {
        params: { collection: collectionId },
        query: {
          page,
          perPage,
          count: page === 1 ? 'capped' : 'none',
          ...(text.trim() !== '' && { search: text }),
          ...(titleField !== null && { fields: titleField, sort: titleField }),
        },
        signal,
      })
      return {
        options: items.map((record): DropdownOption => ({ value: record.id, label: recordTitle(collection, record) })),
        total: total ?? items.length,
        isTotalCapped: totalIs === 'atLeast',
      }
    })
  }
