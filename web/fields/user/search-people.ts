import { listPeople } from '#api/people.ts'
import { call } from '#web/client/call.ts'
import type { OptionSearch } from '#web/kit/dropdown/use-option-search.ts'

/** As many as one looks through; who seeks another types more of the name. */
const MOST_FOUND = 50

/** A search over the people who may be chosen. */
export const searchPeople: OptionSearch = async (text, signal) => {
  const { items } = await call(listPeople, {
    query: { perPage: MOST_FOUND, page: 1, ...(text.trim() !== '' && { search: text.trim() }) },
    signal,
  })
  return items.map(({ id, name }) => ({ value: id, label: name }))
}
