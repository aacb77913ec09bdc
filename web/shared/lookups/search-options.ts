import type { QueryClient } from '@tanstack/react-query'
import { listRecords } from '#api/records.ts'
import { listPeople } from '#api/users.ts'
import { DROPDOWN } from '#domain/specification.ts'
import { call } from '#web/data/api/call.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { typedCollection } from '#web/shared/fields/typed-collection.ts'
import { type DropdownOption, type FoundOptions, NO_OPTIONS, type OptionSearch } from '#web/ui/dropdown/option.tsx'

const PER_PAGE = 500

/** Uses the total that `read` reports. */
export async function firstOptions(
  read: (page: number, perPage: number) => Promise<FoundOptions>,
): Promise<FoundOptions> {
  const first = await read(1, PER_PAGE)
  const options = [...first.options]
  let { length } = first.options
  for (let page = 2; length === PER_PAGE && options.length < DROPDOWN.optionLimit; page += 1) {
    const next = await read(page, PER_PAGE)
    options.push(...next.options)
    ;({ length } = next.options)
  }
  return { ...first, options }
}

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

export const searchPeople: OptionSearch = (text, signal) =>
  firstOptions(async (page, perPage) => {
    const { items, total } = await call(listPeople, {
      query: { perPage, page, ...(text.trim() !== '' && { search: text.trim() }) },
      signal,
    })
    return { options: items.map(({ id, name }) => ({ value: id, label: name })), total }
  })
