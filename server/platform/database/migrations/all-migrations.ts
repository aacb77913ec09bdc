import { initial } from './0028-initial.ts'
import type { Migration } from './migration.ts'

export const ALL_MIGRATIONS: readonly Migration[] = [initial]
