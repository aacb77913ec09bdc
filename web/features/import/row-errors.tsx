import type { ImportBody } from '#api/imports.ts'
import { numberText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'

type RowErrorsProps = { readonly errors: ImportBody['errors']; readonly inAll: number }

/** As many as one reads before going to the file. */
const SHOWN = 10

/** The first rows that could not be read, and why. */
export function RowErrors({ errors, inAll }: RowErrorsProps) {
  if (errors.length === 0) return null
  const shown = errors.slice(0, SHOWN)
  return (
    <table className="row-errors">
      {inAll > shown.length && (
        <caption>
          {t('Showing {shownCount} of {inAll}. All errors are in the error file.', {
            shownCount: shown.length,
            inAll,
          })}
        </caption>
      )}
      <thead>
        <tr>
          <th scope="col">{t('Row')}</th>
          <th scope="col">{t('Column')}</th>
          <th scope="col">{t('Error')}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ row, column, message }) => (
          <tr key={`${row} ${column}`}>
            <td>{numberText(row)}</td>
            <td>{column}</td>
            <td>{message}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
