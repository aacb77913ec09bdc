/** Requests of which two programs may disagree where they end. */

const SECOND = 'GET /api/health?second HTTP/1.1\r\nHost: x\r\n\r\n'

/** A request with a body, as it is written. */
export const posted = (headers: string, body: string): string =>
  `POST /api/auth/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`
/** A request without one. */
export const requested = (line: string, headers = 'Host: x'): string => `${line}\r\n${headers}\r\n\r\n`

/**
 * Request smuggling: input on whose boundaries two programs can disagree. The request hidden behind each must never
 * be answered as a separate one.
 */
export const SMUGGLED_REQUESTS: { readonly [what: string]: string } = {
  'a length and chunks': posted('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`),
  'chunks and a length': posted('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${SECOND}`),
  'two lengths': posted('Content-Length: 0\r\nContent-Length: 44', SECOND),
  'a list of lengths': posted('Content-Length: 0, 44', SECOND),
  'a length with a sign': posted('Content-Length: +0', SECOND),
  'a length below nothing': posted('Content-Length: -1', SECOND),
  'a length in hexadecimals': posted('Content-Length: 0x0', SECOND),
  'a space before the colon': posted('Content-Length : 44', SECOND),
  'an unknown form of chunks': posted('Transfer-Encoding: xchunked', `0\r\n\r\n${SECOND}`),
  'chunks that are not last': posted('Transfer-Encoding: chunked, identity', `0\r\n\r\n${SECOND}`),
  'chunks twice': posted('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${SECOND}`),
  'a header on two lines': posted('X-Folded: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 44\r\n\tx', SECOND),
  'lines without a return': `POST /api/auth/login HTTP/1.1\nHost: x\nContent-Length: 0\n\n${SECOND}`,
  'a return alone': posted('X-Alone: a\rContent-Length: 44', SECOND),
  'a header without a name': posted(': x', SECOND),
  'nothing in a header': posted('X-Nothing: a\0b', SECOND),
  'a chunk of more than there are numbers for': posted('Transfer-Encoding: chunked', `fffffffffffffffff\r\n${SECOND}`),
  'a chunk of hexadecimals twice': posted('Transfer-Encoding: chunked', `0x0\r\n\r\n${SECOND}`),
  'a chunk below nothing': posted('Transfer-Encoding: chunked', `-0\r\n\r\n${SECOND}`),
  'a chunk without a return': posted('Transfer-Encoding: chunked', `0\n\n${SECOND}`),
  'a chunk with 20 kB of extensions': posted(
    'Transfer-Encoding: chunked',
    `1;${'x=y;'.repeat(5000)}\r\n{\r\n0\r\n\r\n${SECOND}`,
  ),
  'two hosts': requested('GET /api/health HTTP/1.1', 'Host: x\r\nHost: y\r\nContent-Length: x') + SECOND,
  'no host': requested('GET /api/health HTTP/1.1', 'X: y') + SECOND,
  'HTTP of another time': requested('GET /api/health HTTP/7.3') + SECOND,
  'no version': `GET /api/health\r\n\r\n${SECOND}`,
  'an unknown method': requested('SMUGGLE /api/health HTTP/1.1') + SECOND,
  'a space in the address': requested('GET /api/health HTTP/1.1 HTTP/1.1') + SECOND,
  'an address of 100 kB': requested(`GET /${'x'.repeat(100_000)} HTTP/1.1`) + SECOND,
  'headers of 100 kB': requested('GET /api/health HTTP/1.1', `Host: x\r\nX-Long: ${'x'.repeat(100_000)}`) + SECOND,
  'ten thousand headers':
    requested('GET /api/health HTTP/1.1', `Host: x\r\n${'X-Many: x\r\n'.repeat(10_000)}X: y`) + SECOND,
  'the words of another protocol': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + SECOND,
  'a handshake of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + SECOND,
}

/** What is no fault, or one that both sides read alike, and what some read otherwise all the same. */
export const UNUSUAL: { readonly [what: string]: string } = {
  'chunks in capitals': posted('TRANSFER-ENCODING: CHUNKED', `0\r\n\r\n${SECOND}`),
  'chunks behind a tab': posted('Transfer-Encoding:\tchunked', `0\r\n\r\n${SECOND}`),
  'chunks behind another sign': posted('Transfer-Encoding: \x0bchunked', `0\r\n\r\n${SECOND}`),
  'chunks in quotes': posted('Transfer-Encoding: "chunked"', `0\r\n\r\n${SECOND}`),
  'a comma and chunks': posted('Transfer-Encoding: , chunked', `0\r\n\r\n${SECOND}`),
  'chunks with an underscore': posted('Transfer_Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${SECOND}`),
  'chunks behind a line of spaces': posted('X: y\r\n \r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`),
  'chunks and a length of nothing': posted('Content-Length: 0\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`),
  'chunks of an older time': `POST /api/auth/login HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECOND}`,
  'a chunk with an extension': posted('Transfer-Encoding: chunked', `2;a="\r\n"\r\n{}\r\n0\r\n\r\n${SECOND}`),
  'a chunk with an extension on two lines': posted('Transfer-Encoding: chunked', `2;a\n{}\r\n0\r\n\r\n${SECOND}`),
  'a length behind the chunks': posted('Transfer-Encoding: chunked', `0\r\nContent-Length: 44\r\n\r\n${SECOND}`),
  'a length with zeros': posted('Content-Length: 00000', SECOND),
  'a length twice alike': posted('Content-Length: 0\r\nContent-Length: 0', SECOND),
  'a length that some round': posted('Content-Length: 18446744073709551616', SECOND),
  'a body where none is read': `GET /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: ${SECOND.length}\r\n\r\n${SECOND}`,
  'a body that is waited for': posted(`Expect: 100-continue\r\nContent-Length: ${SECOND.length}`, SECOND),
  'a whole address': requested('GET http://elsewhere.test/api/health HTTP/1.1') + SECOND,
  'another host in the address': requested('GET http://x@elsewhere.test:1/api/health HTTP/1.1', 'Host: y') + SECOND,
  'a word for another protocol':
    requested('GET /api/health HTTP/1.1', 'Host: x\r\nUpgrade: h2c\r\nConnection: Upgrade') + SECOND,
  'lines before the first': `\r\n\r\n${requested('GET /api/health HTTP/1.1')}${SECOND}`,
}
