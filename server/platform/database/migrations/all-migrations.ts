import { initial } from './0028-initial.ts'
import type { Migration } from './migration.ts'

/** Every migration, in order. */
export const ALL_MIGRATIONS: readonly Migration[] = [initial]
