import {
  DEEP,
  DEEP_BY_MANY,
  DEEP_SORTED,
  FILTERED,
  FILTERED_BY_MANY,
  noPromise,
  SEARCHED,
  SEARCHED_BY_MANY,
  SORTED_BY_MANY,
  sortedBy,
} from '../report/budgets.ts'
import { RARE_WORD, type ExpectedResult, SEARCHED_TERM } from '../setup/generated-records.ts'
import { measureQuestion, measureQuestions, type Part, type Question } from '../measure.ts'
import type { RawRequest } from '../client/raw-client.ts'
import { expectSame, get, itemsOf, listPath } from '../client/requests.ts'

const sorted = (sort: string) => () => [get(listPath({ sort, count: 'none' }))]

const BY_NUMBER: Question = {
  budget: sortedBy('number'),
  ours: sorted('-amount'),
  bare: () => [get('/sorted?by=amount+desc')],
  check: (answer, { truth, stage }) => {
    const [first] = itemsOf(answer)
    // The API nests field values under `values`; the baseline doesn't.
    const values = stage ? (first?.['values'] as { readonly amount?: number } | undefined) : first
    expectSame('The highest amount', values?.['amount'], truth.highest)
  },
  settles: true,
}

/** Sort orders already used by earlier requests. */
export const sortPart: Part = {
  name: 'sort',
  run: async (bench) => [
    ...(await measureQuestions(bench, BY_NUMBER, [BY_NUMBER.budget, SORTED_BY_MANY])),
    await measureQuestion(bench, {
      budget: sortedBy('text'),
      ours: sorted('title'),
      bare: () => [get('/sorted?by=title')],
      settles: true,
    }),
    await measureQuestion(bench, { budget: sortedBy('a linked record'), ours: sorted('owner'), settles: true }),
  ],
}

const CONDITION = `status = "${SEARCHED_TERM.status}" && amount >= ${SEARCHED_TERM.min} && amount <= ${SEARCHED_TERM.max}`

export const filterPart: Part = {
  name: 'filter',
  run: (bench) =>
    measureQuestions(
      bench,
      {
        budget: FILTERED,
        ours: () => [get(listPath({ filter: CONDITION, sort: 'made_at', count: 'exact' }))],
        bare: () => [get('/filter')],
        check: ({ total }, { truth }) => expectSame('The filter', total, truth.filtered),
        settles: true,
      },
      [FILTERED, FILTERED_BY_MANY],
    ),
}

/** Searches for a rare word in all visible text. */
export const searchPart: Part = {
  name: 'search',
  run: async (bench) => [
    ...(await measureQuestions(
      bench,
      {
        budget: SEARCHED,
        ours: () => [get(listPath({ search: RARE_WORD, count: 'exact' }))],
        bare: () => [get(`/search?word=${RARE_WORD}`)],
        check: ({ total }, { truth }) => expectSame('The search', total, truth.found),
        settles: true,
      },
      [SEARCHED, SEARCHED_BY_MANY],
    )),
    await measureQuestion(bench, {
      budget: noPromise('Search for two common characters, default count', 1),
      ours: () => [get(listPath({ search: 'ba' }))],
      settles: true,
    }),
  ],
}

const PLACES_IN_LIST = 40

/** Pages spread across a list, starting with the last page. */
function pagesOf({ records }: ExpectedResult, ask: (page: string) => RawRequest): RawRequest[] {
  const last = Math.ceil(records / 50)
  return Array.from({ length: PLACES_IN_LIST }, (_, at) =>
    ask(String(Math.ceil((last * (PLACES_IN_LIST - at)) / PLACES_IN_LIST))),
  )
}

/** Without the page index, a deep page takes hundreds of ms. */
const PLACED_MS = 20

const deep = (sort: string | undefined): Omit<Question, 'budget'> => ({
  ours: ({ truth }) =>
    pagesOf(truth, (page) => get(listPath({ page, count: 'none', ...(sort === undefined ? {} : { sort }) }))),
  bare: ({ truth }) => pagesOf(truth, (page) => get(`/${sort === undefined ? 'deep' : 'deepSorted'}?page=${page}`)),
  check: (answer, { truth }) => expectSame('The last page', itemsOf(answer).length, truth.records % 50 || 50),
  settles: true,
  settledMs: PLACED_MS,
})

export const deepPart: Part = {
  name: 'deep',
  run: async (bench) => [
    ...(await measureQuestions(bench, { budget: DEEP, ...deep(undefined) }, [DEEP, DEEP_BY_MANY])),
    await measureQuestion(bench, { budget: DEEP_SORTED, ...deep('-amount') }),
  ],
}
