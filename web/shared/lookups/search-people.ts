import { listPeople } from '#api/users.ts'
import { call } from '#web/data/api/call.ts'
import type { OptionSearch } from '#web/ui/dropdown/option.tsx'
import { firstOptions } from './first-options.ts'

export const searchPeople: OptionSearch = (text, signal) =>
  firstOptions(async (page, perPage) => {
    const { items, total } = await call(listPeople, {
      query: { perPage, page, ...(text.trim() !== '' && { search: text.trim() }) },
      signal,
    })
    return { options: items.map(({ id, name }) => ({ value: id, label: name })), total }
  })
