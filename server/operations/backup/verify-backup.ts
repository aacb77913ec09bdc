import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { blobsOf, forEachBlob, hashOf, hashOfFile } from './backup-parts.ts'

import type { Manifest } from './manifest.ts'

/** Compares a backup with its manifest; one sentence per difference. Blobs are read if they are inside. */
export async function verifyBackup(folder: string, manifest: Manifest): Promise<readonly string[]> {
  const parts = await verifyParts(folder, manifest)
  // The list of blobs is one of the parts, so parts come first.
  return parts.length > 0 ? parts : verifyBlobs(folder, manifest)
}

export async function verifyParts(folder: string, { parts }: Manifest): Promise<readonly string[]> {
  const findings: string[] = []
  for (const { path, sha256 } of parts) {
    const file = join(folder, path)
    const found = await hashOfFile(file).then(undefined, () => undefined)
    if (found === undefined) findings.push(`${file} can't be read.`)
    else if (found !== sha256)
      findings.push(`${file} is damaged: the hash of its ${(await stat(file)).size} bytes is ${found}.`)
  }
  return findings
}

async function verifyBlobs(folder: string, { blobs }: Manifest): Promise<readonly string[]> {
  const findings: string[] = []
  const lost = new Set(blobs.lost)
  const storage = blobsOf(folder)
  let count = 0
  await forEachBlob(folder, async (hash) => {
    count += 1
    if (blobs.are === 'left' || lost.has(hash)) return
    const blob = await storage.open(hash)
    if (blob === undefined) findings.push(`The file ${hash} is missing.`)
    else if ((await hashOf(blob.read())) !== hash) findings.push(`The file ${storage.pathOf(hash) ?? hash} is damaged.`)
  })
  if (count !== blobs.count) findings.push(`The backup lists ${count} files, but should have ${blobs.count}.`)
  return findings
}
