import { noPromise, PAGE, PAGE_BY_MANY, READ, READ_BY_MANY } from '../report/budgets.ts'
import { measureQuestion, measureQuestions, type Part, singleReads } from '../measure.ts'
import { get, listPath } from '../client/requests.ts'

const IDS_OF_FLOOR = 1000

/** Reads single records from the baseline server, spread across the collection. */
export const baselineReads = (records: number) =>
  Array.from({ length: IDS_OF_FLOOR }, (_, at) => get(`/read?id=${1 + Math.floor((records * at) / IDS_OF_FLOOR)}`))

/** Reads a single record, the most frequent request. */
export const readPart: Part = {
  name: 'read',
  run: (bench) =>
    measureQuestions(bench, { budget: READ, ours: singleReads, bare: ({ truth }) => baselineReads(truth.records) }, [
      READ,
      READ_BY_MANY,
    ]),
}

const COUNTED = noPromise('Page of 50, default count', 1)
const OF_GRID = noPromise('Page of 50 as the grid loads it (linked records, gzip)', 1)

/** Reads the first page: without a count, with the default count, and as the grid requests it. */
export const pagePart: Part = {
  name: 'page',
  run: async (bench) => {
    const plain = { budget: PAGE, ours: () => [get(listPath({ count: 'none' }))], bare: () => [get('/page')] }
    const ofGrid = { ...get(listPath({ expand: '*', richText: 'text', page: '1' })), acceptsGzip: true }
    return [
      ...(await measureQuestions(bench, plain, [PAGE, PAGE_BY_MANY])),
      await measureQuestion(bench, { budget: COUNTED, ours: () => [get(listPath({}))], settles: true }),
      await measureQuestion(bench, { budget: OF_GRID, ours: () => [ofGrid] }),
    ]
  },
}
