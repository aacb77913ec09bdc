import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Picture } from './draw-pictures.ts'

/** Deletes the folder's content and writes every image to it as WebP. */
export async function writePictures(folder: URL, pictures: readonly Picture[]): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { slug, svg } of pictures) {
    await sharp(Buffer.from(svg))
      .webp({ quality: 82, effort: 6 })
      .toFile(fileURLToPath(new URL(`${slug}.webp`, folder)))
  }
}
