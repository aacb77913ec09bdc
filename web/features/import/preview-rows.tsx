import type { ImportPreview } from '#api/imports.ts'
import { t } from '#web/i18n/t.ts'
import './preview-rows.css'

/** Enough to see what the file is like. */
const SHOWN_ROWS = 8

/** The first rows of the file as they are, to be opened by whoever wants to look. */
export function PreviewRows({ preview }: { readonly preview: ImportPreview }) {
  const rows = preview.rows.slice(0, SHOWN_ROWS)
  if (rows.length === 0) return null
  return (
    <details className="first-rows">
      <summary>{t('Preview of the first rows')}</summary>
      {/* It scrolls sideways, so the keyboard must reach it. */}
      <div className="first-rows-scroll" role="region" aria-label={t('Preview of the first rows')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {preview.columns.map(({ header }, at) => (
                <th key={at} scope="col">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, at) => (
              <tr key={at}>
                {cells.map((cell, place) => (
                  <td key={place}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
