/** Pixels of the longer side. */
const LOGO_PX = 256

/**
 * Draws an image, also SVG, as a small PNG, so that the server gets pixels only. The browser runs no scripts and loads
 * nothing for an image. Undefined if it can't be opened.
 */
export async function drawLogo(file: Blob): Promise<Blob | undefined> {
  const url = URL.createObjectURL(file)
  const drawn = await draw(url).then(
    (made) => made ?? undefined,
    () => undefined,
  )
  URL.revokeObjectURL(url)
  return drawn
}

async function draw(url: string): Promise<Blob | null> {
  const image = new Image()
  image.src = url
  await image.decode()
  // Vector images may have no size of their own.
  const [width, height] = [image.naturalWidth || LOGO_PX, image.naturalHeight || LOGO_PX]
  const scale = LOGO_PX / Math.max(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
