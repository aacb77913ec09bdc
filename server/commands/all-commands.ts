import { backupCommand } from './backup.ts'
import type { Command } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { filesCopyCommand } from './files-copy.ts'
import { importCommand } from './import.ts'
import { keysResetCommand } from './keys-reset.ts'
import { keysRotateCommand } from './keys-rotate.ts'
import { migrateCommand } from './migrate.ts'
import { ownerCreateCommand } from './owner-create.ts'
import { restoreCommand } from './restore.ts'
import { storageAdoptCommand } from './storage-adopt.ts'
import { storagePurgeCommand } from './storage-purge.ts'

/** Every command of `npm run dossier -- <command>`, in the order in which they are listed. */
export const ALL_COMMANDS: readonly Command[] = [
  ownerCreateCommand,
  migrateCommand,
  importCommand,
  exportCommand,
  doctorCommand,
  backupCommand,
  restoreCommand,
  filesCopyCommand,
  storageAdoptCommand,
  storagePurgeCommand,
  keysRotateCommand,
  keysResetCommand,
]
