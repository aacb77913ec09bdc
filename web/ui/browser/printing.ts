import { flushSync } from 'react-dom'
import { createStore, useStore } from '#web/ui/store.ts'

const printing = createStore(false)

// Rendered synchronously, because the browser prints the page as it is after the event.
const setPrinting = (isPrinting: boolean) => flushSync(() => printing.set(isPrinting))

globalThis.window?.addEventListener('beforeprint', () => setPrinting(true))
globalThis.window?.addEventListener('afterprint', () => setPrinting(false))

/** Whether the page is being printed, or prepared for it. */
export const usePrinting = (): boolean => useStore(printing)

/** In ms: an image that takes longer to load is printed without waiting for it. */
const MAX_IMAGE_MS = 10_000

/** Prints the page once its images are loaded, including those out of view. */
export async function printPage(): Promise<void> {
  setPrinting(true)
  const images = [...document.images].map((image) => {
    image.loading = 'eager'
    return image.decode().then(undefined, () => undefined)
  })
  const late = new Promise((resolve) => setTimeout(resolve, MAX_IMAGE_MS))
  await Promise.race([Promise.all(images), late])
  window.print()
  setPrinting(false)
}
