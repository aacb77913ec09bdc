/** Requests whose end two HTTP parsers may determine differently. */

const SECOND = 'GET /api/health?second HTTP/1.1\r\nHost: x\r\n\r\n'

/** A raw request with a body. */
export const posted = (headers: string, body: string): string =>
  `POST /api/auth/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`
/** A raw request without a body. */
export const requested = (line: string, headers = 'Host: x'): string => `${line}\r\n${headers}\r\n\r\n`

/**
 * Request smuggling: input whose boundaries two HTTP parsers can interpret differently. The request hidden in each must
 * never be answered as a separate request.
 */
export const SMUGGLED_REQUESTS: { readonly [what: string]: string } = {
  'a length and chunks': posted('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`),
  'chunks and a length': posted('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${SECOND}`),
  'two lengths': posted('Content-Length: 0\r\nContent-Length: 44', SECOND),
  'a list of lengths': posted('Content-Length: 0, 44', SECOND),
  'a length with a sign': posted('Content-Length: +0', SECOND),
  'a negative length': posted('Content-Length: -1', SECOND),
  'a hexadecimal length': posted('Content-Length: 0x0', SECOND),
  'a space before the colon': posted('Content-Length : 44', SECOND),
  'an unknown form of chunks': posted('Transfer-Encoding: xchunked', `0\r\n\r\n${SECOND}`),
  'chunked not in last place': posted('Transfer-Encoding: chunked, identity', `0\r\n\r\n${SECOND}`),
  'chunks twice': posted('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${SECOND}`),
  'a header on two lines': posted('X-Folded: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 44\r\n\tx', SECOND),
  'lines without CR': `POST /api/auth/login HTTP/1.1\nHost: x\nContent-Length: 0\n\n${SECOND}`,
  'a CR alone': posted('X-Alone: a\rContent-Length: 44', SECOND),
  'a header without a name': posted(': x', SECOND),
  'a NUL in a header': posted('X-Nothing: a\0b', SECOND),
  'a chunk size that overflows': posted('Transfer-Encoding: chunked', `fffffffffffffffff\r\n${SECOND}`),
  'a chunk size with two prefixes': posted('Transfer-Encoding: chunked', `0x0\r\n\r\n${SECOND}`),
  'a negative chunk size': posted('Transfer-Encoding: chunked', `-0\r\n\r\n${SECOND}`),
  'a chunk without CR': posted('Transfer-Encoding: chunked', `0\n\n${SECOND}`),
  'a chunk with 20 kB of extensions': posted(
    'Transfer-Encoding: chunked',
    `1;${'x=y;'.repeat(5000)}\r\n{\r\n0\r\n\r\n${SECOND}`,
  ),
  'two hosts': requested('GET /api/health HTTP/1.1', 'Host: x\r\nHost: y\r\nContent-Length: x') + SECOND,
  'no host': requested('GET /api/health HTTP/1.1', 'X: y') + SECOND,
  'an unknown HTTP version': requested('GET /api/health HTTP/7.3') + SECOND,
  'no version': `GET /api/health\r\n\r\n${SECOND}`,
  'an unknown method': requested('SMUGGLE /api/health HTTP/1.1') + SECOND,
  'a space in the URL': requested('GET /api/health HTTP/1.1 HTTP/1.1') + SECOND,
  'a URL of 100 kB': requested(`GET /${'x'.repeat(100_000)} HTTP/1.1`) + SECOND,
  'headers of 100 kB': requested('GET /api/health HTTP/1.1', `Host: x\r\nX-Long: ${'x'.repeat(100_000)}`) + SECOND,
  'ten thousand headers':
    requested('GET /api/health HTTP/1.1', `Host: x\r\n${'X-Many: x\r\n'.repeat(10_000)}X: y`) + SECOND,
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + SECOND,
  'a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + SECOND,
}

/** Requests that are valid, or that the server and a proxy parse identically, but that some programs reject. */
export const UNUSUAL: { readonly [what: string]: string } = {
  'chunked in capitals': posted('TRANSFER-ENCODING: CHUNKED', `0\r\n\r\n${SECOND}`),
  'chunked after a tab': posted('Transfer-Encoding:\tchunked', `0\r\n\r\n${SECOND}`),
  'chunked after a control character': posted('Transfer-Encoding: \x0bchunked', `0\r\n\r\n${SECOND}`),
  'chunked in quotation marks': posted('Transfer-Encoding: "chunked"', `0\r\n\r\n${SECOND}`),
  'a comma and chunked': posted('Transfer-Encoding: , chunked', `0\r\n\r\n${SECOND}`),
  'chunked with an underscore': posted('Transfer_Encoding: chunked\r\nContent-Length: 5', `0\r\n\r\n${SECOND}`),
  'chunked after a line of spaces': posted('X: y\r\n \r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`),
  'chunked and a length of zero': posted('Content-Length: 0\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`),
  'chunked in HTTP/1.0': `POST /api/auth/login HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECOND}`,
  'a chunk with an extension': posted('Transfer-Encoding: chunked', `2;a="\r\n"\r\n{}\r\n0\r\n\r\n${SECOND}`),
  'a chunk with an extension on two lines': posted('Transfer-Encoding: chunked', `2;a\n{}\r\n0\r\n\r\n${SECOND}`),
  'a length after the chunks': posted('Transfer-Encoding: chunked', `0\r\nContent-Length: 44\r\n\r\n${SECOND}`),
  'a length with zeros': posted('Content-Length: 00000', SECOND),
  'the same length twice': posted('Content-Length: 0\r\nContent-Length: 0', SECOND),
  'a length that some programs round': posted('Content-Length: 18446744073709551616', SECOND),
  'a body where none is expected': `GET /api/health HTTP/1.1\r\nHost: x\r\nContent-Length: ${SECOND.length}\r\n\r\n${SECOND}`,
  'a body after 100 Continue': posted(`Expect: 100-continue\r\nContent-Length: ${SECOND.length}`, SECOND),
  'an absolute URL': requested('GET http://elsewhere.test/api/health HTTP/1.1') + SECOND,
  'another host in the URL': requested('GET http://x@elsewhere.test:1/api/health HTTP/1.1', 'Host: y') + SECOND,
  'an upgrade to another protocol':
    requested('GET /api/health HTTP/1.1', 'Host: x\r\nUpgrade: h2c\r\nConnection: Upgrade') + SECOND,
  'empty lines before the first': `\r\n\r\n${requested('GET /api/health HTTP/1.1')}${SECOND}`,
}
