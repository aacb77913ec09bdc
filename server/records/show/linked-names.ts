import type { FileBody, PersonBody } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { namesOf } from '#server/access/people/routes.ts'
import { findAssets } from '#server/records/values/assets-store.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'

type AssetRow = Awaited<ReturnType<typeof findAssets>>[number]

/** Read permission for a user field includes the names of its users. */
export async function peopleById(
  deps: Pick<RecordDeps, 'database'>,
  ids: readonly string[],
): Promise<Map<string, PersonBody>> {
  const names = await namesOf(deps.database.readBriefly, ids)
  return new Map([...names].map(([id, name]) => [id, { id, name }]))
}

/**
 * Details of these files; the caller must have checked that the actor can read the field. `isHere` filters the files.
 */
export async function filesById(
  deps: Pick<RecordDeps, 'database' | 'fileAddress'>,
  actor: Actor,
  ids: readonly string[],
  isHere: (asset: AssetRow) => boolean = () => true,
): Promise<Map<string, FileBody>> {
  const assets = (await findAssets(deps.database.readBriefly, ids)).filter(isHere)
  return new Map(
    assets.map((asset) => [
      asset.id,
      {
        id: asset.id,
        name: asset.name,
        type: asset.type,
        bytes: asset.bytes,
        width: asset.width,
        height: asset.height,
        ...deps.fileAddress(asset, actor),
      },
    ]),
  )
}
