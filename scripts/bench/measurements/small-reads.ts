import { PAGE_ALONE, PAGE_BY_MANY, PAGE_COUNTED, PAGE_OF_GRID, READ_ALONE, READ_BY_MANY } from '../budgets.ts'
import { listPath, type Measurement, measureLine, singleReads } from '../measure.ts'

/** The two requests everybody makes all day. */
export const readMeasurement: Measurement = {
  name: 'read',
  run: async (stage) => {
    const requests = singleReads(stage)
    return [
      await measureLine(stage, READ_ALONE, { requests }),
      await measureLine(stage, READ_BY_MANY, { requests, connections: 16 }),
    ]
  },
}

/** The first page: plain, counted as by default, and as the grid asks for it. */
export const pageMeasurement: Measurement = {
  name: 'page',
  run: async (stage) => {
    const plain = [{ method: 'GET' as const, path: listPath({ count: 'none' }) }]
    const counted = [{ method: 'GET' as const, path: listPath({}) }]
    const ofGrid = [
      { method: 'GET' as const, path: listPath({ expand: '*', richText: 'text', page: '1' }), acceptsGzip: true },
    ]
    return [
      await measureLine(stage, PAGE_ALONE, { requests: plain }),
      await measureLine(stage, PAGE_BY_MANY, { requests: plain, connections: 16 }),
      await measureLine(stage, PAGE_COUNTED, { requests: counted }),
      await measureLine(stage, PAGE_OF_GRID, { requests: ofGrid }),
    ]
  },
}
