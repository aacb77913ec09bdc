import type { Check } from '#server/operations/doctor/check.ts'
import { unfinishedImports } from '#server/operations/doctor/store.ts'

/** Imports that were cut off; their rows are invisible until they are removed. */
export const checkImports: Check = {
  name: 'No unfinished imports',
  endsByItself: true,
  run: async ({ database }) => {
    const found = await unfinishedImports(database.read)
    return found.map(
      ({ id, file_name, state }) =>
        `Import ${id} of ${file_name} is ${state}. Unless a server is running it now, the next start removes its records.`,
    )
  },
}
