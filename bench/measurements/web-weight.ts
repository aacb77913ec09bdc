import { type MEASURED_PAGES, measurePage } from '../../scripts/bundle-size.ts'
import { EDITOR_ON_TOP, FIRST_LOAD, READ_A_RECORD, TO_THE_GRID } from '../report/budgets.ts'
import type { Part } from '../measure.ts'
import { rowOfSingles } from '../report/result.ts'

/** JavaScript loaded before the first interaction; independent of the database. */
export const webPart: Part = {
  name: 'web',
  run: ({ stages }) => {
    const weigh = (page: keyof typeof MEASURED_PAGES, there?: keyof typeof MEASURED_PAGES) => {
      const kilobytes = measurePage(page).kilobytes - (there ? measurePage(there).kilobytes : 0)
      return new Map(stages.slice(0, 1).map(({ dialect }) => [dialect, { figure: kilobytes, unit: 'kB' }]))
    }
    return Promise.resolve([
      rowOfSingles(FIRST_LOAD, weigh('login')),
      rowOfSingles(TO_THE_GRID, weigh('grid')),
      rowOfSingles(READ_A_RECORD, weigh('record')),
      rowOfSingles(EDITOR_ON_TOP, weigh('editor', 'record')),
    ])
  },
}
