/** Labels by WHATWG encoding name. */
export const ENCODINGS = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16 LE)',
  'utf-16be': 'Unicode (UTF-16 BE)',
  'windows-1252': 'Western (Windows-1252, Latin-1)',
  'iso-8859-15': 'Western (ISO 8859-15)',
  macintosh: 'Western (Mac)',
  'windows-1250': 'Central European (Windows-1250)',
  'iso-8859-2': 'Central European (ISO 8859-2)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'koi8-r': 'Cyrillic (KOI8-R)',
  ibm866: 'Cyrillic (DOS 866)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-874': 'Thai (Windows-874)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC-JP)',
  'iso-2022-jp': 'Japanese (ISO-2022-JP)',
  gb18030: 'Chinese, simplified (GB 18030, GBK)',
  big5: 'Chinese, traditional (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
} as const

export type Encoding = keyof typeof ENCODINGS

// `Object.keys` loses the key type.
export const ENCODING_NAMES = Object.keys(ENCODINGS) as [Encoding, ...Encoding[]]

/**
 * `certain`: no other encoding is possible; `likely`: no other encoding produces words; `guess`: the user must check.
 */
export const CONFIDENCES = ['certain', 'likely', 'guess'] as const

export type Confidence = (typeof CONFIDENCES)[number]
