// Runs in the browser, on the pages of API references: shows an OpenAPI document with Swagger UI.
/* global SwaggerUIBundle */

const SAMPLE_TEXT = 'Example';
const SAMPLE_NUMBER = 100;

const place = document.getElementById('reference');
const { openapi, version, tryOut } = place.dataset;

void fetch(openapi)
  .then((response) => {
    if (!response.ok) throw new Error(`the document was answered with ${response.status}`);
    return response.text();
  })
  .then((text) => show(JSON.parse(text, withSample)))
  .catch((error) => {
    place.textContent = 'The reference could not be loaded. Reload the page to try again.';
    throw error;
  });

function show(contract) {
  SwaggerUIBundle({
    domNode: place,
    spec: forReading(contract),
    deepLinking: true,
    docExpansion: 'list',
    // Nothing of a reader's is sent to others: no validator, and no token outlives the page.
    validatorUrl: null,
    persistAuthorization: false,
    supportedSubmitMethods: tryOut === 'yes' ? undefined : [],
    requestInterceptor: (request) => {
      // The operator API has no versions.
      if (version) request.headers['Service-Version'] = version;
      return request;
    },
  });
}

/** Each operation once, under its first group. */
function forReading(contract) {
  const paths = Object.entries(contract.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations)
        .filter(([method]) => !method.startsWith('x-'))
        .map(([method, operation]) => [method, operationForReading(operation)]),
    ),
  ]);
  return { ...contract, paths: Object.fromEntries(paths) };
}

/** Examples of what can be left out are not filled in: whoever tries a list wants to see all of it. */
function operationForReading(operation) {
  const parameters = operation.parameters?.map(({ example, ...parameter }) =>
    parameter.required ? { ...parameter, example } : parameter,
  );
  return { ...operation, parameters, tags: operation.tags?.slice(0, 1) };
}

/** Without a sample, Swagger UI makes up noise for a pattern, and takes the largest number that is allowed. */
function withSample(_key, value) {
  if (value?.examples) return value;
  if (value?.type === 'string' && new RegExp(value.pattern ?? '$^', 'u').test(SAMPLE_TEXT))
    return { ...value, examples: [SAMPLE_TEXT] };
  if (value?.type === 'integer' && value.maximum >= SAMPLE_NUMBER)
    return { ...value, examples: [SAMPLE_NUMBER] };
  return value;
}
