/**
 * A CSV file like those from European offices: 300 rows with various formats for numbers, dates and booleans, and a few
 * invalid cells.
 */

export const MESSY_ROWS = 300

const CLIENTS = ['Müller & Söhne', 'Bäckerei Huber', 'Café “Zentral”', 'Österle; Partner', 'Weiß GmbH']

const amountOf = (row: number): number => ((row * 3947) % 500_000) / 100 + 1

/** Formats an amount as 1.234,56, with or without currency, digit grouping and decimals. */
function amountText(row: number): string {
  if (row % 97 === 0) return 'auf Anfrage'
  const amount = amountOf(row)
  const german = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 }).format(amount)
  return [`${german} €`, german, `EUR ${german}`, german.replace('.', ' '), `€ ${german}`][row % 5] ?? german
}

function dateText(row: number): string {
  if (row % 120 === 0) return 'unbekannt'
  const [day, month] = [(row % 28) + 1, (row % 12) + 1]
  const [dd, mm] = [day, month].map((part) => String(part).padStart(2, '0'))
  return [`${dd}.${mm}.2026`, `${day}.${month}.26`, `2026-${mm}-${dd}`, `${dd}/${mm}/2026`][row % 4] ?? ''
}

const COLORS = ['rot, blau', 'rot', 'blau', 'grün,rot', 'grün', '']
const PAID = ['ja', 'nein', 'Ja', 'NEIN', 'ja ']

const quoted = (cell: string): string => (/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const rowText = (row: number): string =>
  [
    CLIENTS[row % CLIENTS.length] ?? '',
    String(row).padStart(4, '0'),
    amountText(row),
    row % 7 === 0 ? '' : `${(row % 20) + 0.5} %`.replace('.', ','),
    dateText(row),
    PAID[row % PAID.length] ?? '',
    COLORS[row % COLORS.length] ?? '',
    row % 50 === 0 ? `Zeile eins\nZeile „zwei“; ${row}` : `Notiz ${row}`,
  ]
    .map(quoted)
    .join(';')

export const MESSY_CSV: string = [
  '\uFEFFKunde;Nummer;Betrag;Rabatt;Datum;Bezahlt;Farben;Notiz',
  ...Array.from({ length: MESSY_ROWS }, (_, at) => rowText(at + 1)),
  '',
].join('\r\n')

/** The sum of all valid amounts in the file. */
export const MESSY_SUM: number =
  Array.from({ length: MESSY_ROWS }, (_, at) =>
    amountText(at + 1) === 'auf Anfrage' ? 0 : amountOf(at + 1) * 100,
  ).reduce((sum, cents) => sum + Math.round(cents), 0) / 100
