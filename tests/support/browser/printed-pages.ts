import type { Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'

/** Prints a page to PDF, and returns the text of each printed page, with its lines joined. */
export async function printedPages(page: Page): Promise<readonly string[]> {
  const bytes = await page.pdf({ format: 'A4', printBackground: true, preferCSSPageSize: true })
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)))
  return text.map((lines) => lines.replaceAll(/\s+/g, ' ').trim())
}
