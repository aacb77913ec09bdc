import { backupCommand } from './backup.ts'
import type { Command } from './command.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { filesCopyCommand } from './storage/files-copy.ts'
import { importCommand } from './import.ts'
import { keysResetCommand } from './accounts/keys-reset.ts'
import { keysRotateCommand } from './accounts/keys-rotate.ts'
import { migrateCommand } from './migrate.ts'
import { ownerCreateCommand } from './accounts/owner-create.ts'
import { restoreCommand } from './restore.ts'
import { storageAdoptCommand } from './storage/storage-adopt.ts'
import { storagePurgeCommand } from './storage/storage-purge.ts'

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
