import { join } from 'node:path'
import type { Ownership, OwnershipFacts } from '#domain/uploads/storage-ownership.ts'
import type { Config } from '#server/config.ts'
import { DATABASE_FILE } from '#server/platform/database/open-database.ts'

/** Where database and files are, as the settings say. */
export type OwnershipLocation = Pick<Config, 'dataFolder' | 'databaseUrl' | 's3'>

type OwnershipMismatch = Exclude<Ownership, 'match' | 'claim'>

type Found = Pick<OwnershipFacts, 'databaseId' | 'storageId'> & {
  /** Whether unfinished uploads in the data folder are all that was found. */
  readonly onlyUnfinished: boolean
}

/** Why a start is refused, in one sentence: what was found, by which settings, and the ways out. */
export function describeOwnershipMismatch(place: OwnershipLocation, refusal: OwnershipMismatch, found: Found): string {
  const { setting, files } = storageOf(place, found)
  const { database, settings } = databaseOf(place, setting)
  const wrong = {
    'other-workspace': `${files} belongs to workspace ${found.storageId}, but ${database} ${found.databaseId === undefined ? 'does not' : `belongs to workspace ${found.databaseId}`}`,
    'unknown-files': `${files} contains files unknown to ${database}`,
    'missing-files': `${files} contains none of the files of ${database}`,
  }[refusal]
  return `${setting}: ${wrong}. Nothing was changed. Restore a backup (npm run dossier -- restore <backup> --replace), correct ${settings}, or, if the files belong to this database, run npm run dossier -- storage:adopt --confirm.`
}

function storageOf({ dataFolder, s3 }: OwnershipLocation, { onlyUnfinished }: Found) {
  if (onlyUnfinished) return { setting: 'DOSSIER_DATA', files: join(dataFolder, 'uploads') }
  if (s3 === undefined) return { setting: 'DOSSIER_DATA', files: join(dataFolder, 'blobs') }
  const prefix = s3.prefix === '' ? 'without a prefix' : `under ${s3.prefix}`
  return { setting: 'S3_BUCKET, S3_PREFIX', files: `the bucket ${s3.bucket} ${prefix}` }
}

function databaseOf({ dataFolder, databaseUrl }: OwnershipLocation, setting: string) {
  return databaseUrl === undefined
    ? { database: `the database ${join(dataFolder, DATABASE_FILE)}`, settings: setting }
    : { database: 'the database in DATABASE_URL', settings: `${setting} or DATABASE_URL` }
}
